#!/bin/bash
# Tiles handed out one by one to all ranks of one job, into one folder: no shards, nothing to merge. strew built with
# -DSTREW_WITH_MPI=ON. Submit with:  sbatch docs/jobs/slurm_mpi.sh WORLD.json /shared/bake
#SBATCH --job-name=strew
#SBATCH --ntasks=64
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -euo pipefail
mpirun strew bake "$1" -o "$2" --quiet --json

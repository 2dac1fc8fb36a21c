#!/bin/bash
# One shard per task of a Slurm array. Submit with:  sbatch docs/jobs/slurm_array.sh WORLD.json /shared/bake
# A task that is preempted or killed goes on from its journal when Slurm starts it again.
#SBATCH --job-name=strew
#SBATCH --array=0-15
#SBATCH --cpus-per-task=8
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -euo pipefail
world=$1
out=$2
strew bake "$world" -o "$out/shard-$SLURM_ARRAY_TASK_ID" --shard auto --threads "$SLURM_CPUS_PER_TASK"
# When all are done:  sbatch --dependency=afterok:JOB --wrap "strew merge $out/shard-* -o $out/world"

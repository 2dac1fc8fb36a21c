#include "strew/types.hpp"

package setup

import "strconv"

// memoryVar is set by Lambda, in MB; see "Defined runtime environment variables" in
// its developer guide.
const memoryVar = "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"

// MaxHeap returns how many bytes a function's heap may use: seven eighths of its
// memory, since stacks, the program and buffers take the rest. It returns zero if the
// memory is unknown.
func MaxHeap(env Env) uint64 {
	mb, err := strconv.ParseUint(env(memoryVar), 10, 32)
	if err != nil {
		return 0
	}
	return mb << 20 / 8 * 7
}

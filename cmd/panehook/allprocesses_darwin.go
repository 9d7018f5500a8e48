package main

import "golang.org/x/sys/unix"

// allProcesses lists the processes that can be seen.
func allProcesses() (pids []int) {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	for _, info := range list {
		pids = append(pids, int(info.Proc.P_pid))
	}
	return pids
}

package main

import (
	"bytes"
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"
)

// procStat is what the kernel's process table says of a process.
type procStat struct {
	name    string
	parent  int
	started int64 // in microseconds since 1970
	state   byte  // 'Z' is dead
}

func readStat(pid int) (procStat, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return procStat{}, false
	}
	start := info.Proc.P_starttime
	s := procStat{
		name:    unix.ByteSliceToString(info.Proc.P_comm[:]),
		parent:  int(info.Eproc.Ppid),
		started: start.Sec*1_000_000 + int64(start.Usec),
		state:   'R',
	}
	if info.Proc.P_stat == 5 { // SZOMB
		s.state = 'Z'
	}
	return s, true
}

// commandLine is a process's arguments, nil where they can't be read. The
// kernel gives their number, the program's path, padding, then the arguments.
func commandLine(pid int) []string {
	data, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(data) < 4 {
		return nil
	}
	count := int(binary.LittleEndian.Uint32(data))
	rest := bytes.TrimLeft(data[4+max(bytes.IndexByte(data[4:], 0), 0):], "\x00")
	var args []string
	for len(args) < count {
		arg, after, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			break
		}
		args = append(args, string(arg))
		rest = after
	}
	return args
}

// childrenOf lists the processes that a process has started and that run.
func childrenOf(parent int) []int {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var children []int
	for i := range table {
		if int(table[i].Eproc.Ppid) == parent {
			children = append(children, int(table[i].Proc.P_pid))
		}
	}
	return children
}

func startTime(s procStat) time.Time { return time.UnixMicro(s.started) }

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

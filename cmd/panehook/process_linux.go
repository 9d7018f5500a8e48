package main

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// procStat is what /proc/PID/stat says of a process.
type procStat struct {
	name    string
	parent  int
	started int64 // in clock ticks since the system started
	state   byte  // 'Z' and 'X' are dead
}

// readStat reads one process. The name stands in brackets and can hold
// anything, brackets too, so the fields are counted from the last one.
func readStat(pid int) (procStat, bool) {
	data, err := readProc(pid, "stat")
	if err != nil {
		return procStat{}, false
	}
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return procStat{}, false
	}
	fields := strings.Fields(string(data[end+1:]))
	if len(fields) < 20 {
		return procStat{}, false
	}
	s := procStat{name: string(data[open+1 : end]), state: fields[0][0]}
	s.parent, _ = strconv.Atoi(fields[1])
	s.started, _ = strconv.ParseInt(fields[19], 10, 64)
	return s, true
}

// readProc reads a file of a process, as far as a hook may care.
func readProc(pid int, name string) ([]byte, error) {
	f, err := openPlain("/proc/"+strconv.Itoa(pid)+"/"+name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 64<<10))
}

// commandLine is a process's arguments, nil where they can't be read.
func commandLine(pid int) []string {
	data, err := readProc(pid, "cmdline")
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

// childrenOf lists the processes that a process has started and that run.
func childrenOf(parent int) []int {
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(parent) + "/task")
	if err != nil {
		return nil
	}
	var children []int
	for _, task := range tasks {
		data, err := os.ReadFile("/proc/" + strconv.Itoa(parent) + "/task/" + task.Name() + "/children")
		if err != nil {
			continue
		}
		for _, word := range strings.Fields(string(data)) {
			if pid, err := strconv.Atoi(word); err == nil {
				children = append(children, pid)
			}
		}
	}
	return children
}

// ticksPerSecond is the unit of a process's start time. It is 100 on every
// architecture that Go runs on.
const ticksPerSecond = 100

// startTime is when a process started, to within some 20 ms.
func startTime(s procStat) time.Time {
	data, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return time.Time{}
	}
	up, err := strconv.ParseFloat(strings.Fields(string(data) + " x")[0], 64)
	if err != nil {
		return time.Time{}
	}
	age := up - float64(s.started)/ticksPerSecond
	return time.Now().Add(-time.Duration(age * float64(time.Second)))
}

// allProcesses lists the processes that can be seen.
func allProcesses() (pids []int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

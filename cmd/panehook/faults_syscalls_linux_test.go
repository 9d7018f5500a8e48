//go:build amd64 || arm64

package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"panehook/state"
)

// changing are the system calls that read or change what others see. Killing a
// hook between any other two leaves the same as killing it before one of these.
var changing = map[uint64]string{
	unix.SYS_OPENAT: "openat", unix.SYS_CLOSE: "close", unix.SYS_FLOCK: "flock",
	unix.SYS_READ: "read", unix.SYS_PREAD64: "pread", unix.SYS_WRITE: "write",
	unix.SYS_FSTAT: "fstat", unix.SYS_NEWFSTATAT: "stat", unix.SYS_GETDENTS64: "getdents",
	unix.SYS_MKDIRAT: "mkdir", unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename", unix.SYS_UNLINKAT: "unlink",
	unix.SYS_FTRUNCATE: "truncate", unix.SYS_FCHMOD: "chmod", unix.SYS_EXIT_GROUP: "exit",
}

// runUntil runs a hook up to the entry of its n-th system call of a kind,
// counted from when it has begun to read its payload, and then calls stop. It
// returns the names of the calls so far, and whether there were n.
func runUntil(r *faultRoot, ev faultEvent, kind map[uint64]string, n int, stop func(pid int)) (calls []string, reached bool) {
	r.t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := r.command(ev)
	stdin := cmd.Stdin.(*os.File)
	defer stdin.Close()
	pid, err := syscall.ForkExec(cmd.Path, cmd.Args, &syscall.ProcAttr{
		Env: cmd.Env, Files: []uintptr{stdin.Fd(), 2, 2}, Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	if err != nil {
		r.t.Skipf("this system lets nobody trace: %v", err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, syscall.WALL, nil); err != nil || !status.Stopped() {
		r.t.Fatalf("the hook did not stop at its start: %v, %#x", err, status)
	}
	const options = syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	if err := syscall.PtraceSetOptions(pid, options); err != nil {
		r.t.Fatal(err)
	}
	began := false
	thread, signal := pid, 0
	for {
		if err := syscall.PtraceSyscall(thread, signal); err != nil && err != syscall.ESRCH {
			r.t.Fatal(err)
		}
		signal = 0
		// Its threads are in a process group of their own; other tests have other
		// children.
		if thread, err = syscall.Wait4(-pid, &status, syscall.WALL, nil); err != nil {
			r.t.Fatal(err)
		}
		switch {
		case thread == pid && (status.Exited() || status.Signaled()):
			if !reached && (status.Signaled() || status.ExitStatus() != 0) {
				r.t.Errorf("the hook ended with %#x", status)
			}
			return calls, reached
		case !status.Stopped() || reached:
			continue
		case status.StopSignal() == syscall.SIGTRAP|0x80:
			call, entry := systemCall(thread)
			if !entry {
				continue
			}
			began = began || call == unix.SYS_READ && readsStdin(thread)
			name, counts := kind[call]
			if !began || !counts {
				continue
			}
			if calls = append(calls, name); len(calls) == n {
				reached = true
				stop(pid)
			}
		case status.StopSignal() == syscall.SIGTRAP, status.StopSignal() == syscall.SIGSTOP:
			// A thread was started, or starts.
		default:
			signal = int(status.StopSignal())
		}
	}
}

// syscallInfo is what PTRACE_GET_SYSCALL_INFO tells at the entry of a call.
type syscallInfo struct {
	op      uint8
	_       [3]uint8
	arch    uint32
	ip, sp  uint64
	nr      uint64
	args    [6]uint64
	padding [2]uint64
}

func threadInfo(thread int) (info syscallInfo) {
	_, _, _ = unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(thread), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	return info
}

func systemCall(thread int) (number uint64, entry bool) {
	info := threadInfo(thread)
	return info.nr, info.op == unix.PTRACE_SYSCALL_INFO_ENTRY
}

func readsStdin(thread int) bool { return threadInfo(thread).args[0] == 0 }

func kill(pid int) { syscall.Kill(pid, syscall.SIGKILL) }

// Hooks are killed at each of their system calls in turn, in each thing that a
// hook may have to do. The killed event may or may not count, once; everything
// else must be there.
func TestFaultKilledAtEverySystemCall(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(r *faultRoot)
		has     string // a call that must be among those of the hook
	}{
		{"first event of a root", func(r *faultRoot) {}, "mkdir"},
		{"ordinary event", func(r *faultRoot) { r.works() }, "rename"},
		{"rotation", func(r *faultRoot) { r.works(); r.growLog(state.StateJSONLMaxSize) }, "rename"},
		{"damaged state", func(r *faultRoot) { r.works(); r.put("state.json", `{"session`); r.lossy = true }, "rename"},
		{"torn log", func(r *faultRoot) { r.works(); r.put("state.jsonl", r.read("state.jsonl")+`{"ts":"20`); r.torn = 1 }, "write"},
		{"a temporary file left", func(r *faultRoot) { r.works(); r.put("state.json.tmp", `{"session`) }, "unlink"},
		{"others wait", func(r *faultRoot) { r.works(); r.letWait(3) }, "getdents"},
		{"state behind the log", func(r *faultRoot) {
			r.works()
			before := r.read("state.json")
			r.works()
			r.put("state.json", before)
		}, "rename"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newFaultRoot(t)
			step := 1
			if testing.Short() {
				step = 5
			}
			for n, reached := 1, true; reached; n += step {
				os.RemoveAll(r.root)
				r.taken = nil
				c.prepare(r)
				ev := r.event()
				var calls []string
				calls, reached = runUntil(r, ev, changing, n, kill)
				if !reached {
					r.took(ev)
					t.Logf("%d system calls", len(calls))
					if !strings.Contains(strings.Join(calls, " "), c.has) {
						t.Errorf("no %s among %q", c.has, calls)
					}
				}
				r.check(1)
				if t.Failed() {
					t.Fatalf("killed at call %d of %q", n, calls)
				}
			}
		})
	}
}

// A hook that finds the session locked puts its event aside, and is killed at
// each step of that.
func TestFaultKilledWhilePuttingAside(t *testing.T) {
	if testing.Short() {
		t.Skip("each of these hooks waits for a second")
	}
	steps := map[uint64]string{
		unix.SYS_MKDIRAT: "mkdir", unix.SYS_WRITE: "write",
		unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename", unix.SYS_EXIT_GROUP: "exit",
	}
	for n := 1; n <= 4; n++ {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			r := newFaultRoot(t)
			r.works()
			release := r.holdLock()
			r.works()
			ev := r.event()
			calls, reached := runUntil(r, ev, steps, n, kill)
			if !reached {
				r.took(ev)
				if n <= 3 {
					t.Errorf("only %q", calls)
				}
			}
			release()
			r.check(1)
		})
	}
}

// A hook that is stopped while it holds the lock keeps the others waiting, and
// they leave in time nevertheless. When it goes on, everything is applied in
// order.
func TestFaultStoppedLockHolder(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	r.works()
	ev := r.event()
	write := map[uint64]string{unix.SYS_WRITE: "write"}
	_, reached := runUntil(r, ev, write, 1, func(int) {
		r.took(ev)
		for range 3 {
			r.works()
		}
		if waiting, _ := os.ReadDir(r.path("waiting")); len(waiting) != 3 {
			t.Errorf("%d events wait", len(waiting))
		}
	})
	if !reached {
		t.Fatal("the hook wrote nothing")
	}
	r.check(0)
	r.checkOrder()
}

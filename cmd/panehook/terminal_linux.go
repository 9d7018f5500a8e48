package main

import "golang.org/x/sys/unix"

const setTermios = unix.TCSETSW

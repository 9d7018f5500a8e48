//go:build race

package main

// raceDetector tells that the tests run with it, some ten times slower.
const raceDetector = true

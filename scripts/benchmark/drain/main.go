// Command drain reads its input to the end and drops it: what every hook
// written in Go takes for its payload at the least.
package main

import "os"

func main() {
	buf := make([]byte, 64<<10)
	for {
		if n, err := os.Stdin.Read(buf); n == 0 || err != nil {
			return
		}
	}
}

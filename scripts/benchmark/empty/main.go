// Command empty does nothing: what every Go program takes at the least.
package main

func main() {}

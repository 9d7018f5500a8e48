package codex

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"
)

// sha256Sum is the SHA-256 of data (FIPS 180-4). The standard library has it,
// and behind it the initialisation of its whole cryptography, which each hook
// of each agent would pay for with a thirtieth of an empty process.
func sha256Sum(data []byte) [32]byte {
	padded := append([]byte(nil), data...)
	padded = append(padded, 0x80)
	for len(padded)%64 != 56 {
		padded = append(padded, 0)
	}
	padded = binary.BigEndian.AppendUint64(padded, uint64(len(data))*8)

	constants := &sha256Constants
	constants.once.Do(constants.workOut)
	sum := constants.start
	for ; len(padded) > 0; padded = padded[64:] {
		sha256Block(&sum, &constants.rounds, padded[:64])
	}

	var out [32]byte
	for i, word := range sum {
		binary.BigEndian.PutUint32(out[4*i:], word)
	}
	return out
}

// constantsOfSHA256 are the state that a sum begins with, and a number for each
// round: the fractions of the square and cube roots of the first primes.
type constantsOfSHA256 struct {
	once   sync.Once
	start  [8]uint32
	rounds [64]uint32
}

// sha256Constants begins empty, so that no hook has to initialise it.
var sha256Constants constantsOfSHA256

func (c *constantsOfSHA256) workOut() {
	primes := firstPrimes(len(c.rounds))
	for i := range c.start {
		c.start[i] = fraction(math.Sqrt(primes[i]))
	}
	for i := range c.rounds {
		c.rounds[i] = fraction(math.Cbrt(primes[i]))
	}
}

func sha256Block(sum *[8]uint32, constants *[64]uint32, block []byte) {
	var words [64]uint32
	for i := range words {
		if i < 16 {
			words[i] = binary.BigEndian.Uint32(block[4*i:])
			continue
		}
		x, y := words[i-15], words[i-2]
		words[i] = words[i-16] + words[i-7] +
			(rotated(x, 7) ^ rotated(x, 18) ^ x>>3) +
			(rotated(y, 17) ^ rotated(y, 19) ^ y>>10)
	}
	a, b, c, d, e, f, g, h := sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7]
	for i, word := range words {
		t1 := h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (e&f ^ ^e&g) + constants[i] + word
		t2 := (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, word := range [8]uint32{a, b, c, d, e, f, g, h} {
		sum[i] += word
	}
}

func rotated(x uint32, by int) uint32 { return bits.RotateLeft32(x, -by) }

// fraction is the first 32 bits behind the point.
func fraction(x float64) uint32 {
	_, rest := math.Modf(x)
	return uint32(rest * (1 << 32))
}

func firstPrimes(n int) []float64 {
	var primes []float64
	for candidate := 2.0; len(primes) < n; candidate++ {
		isPrime := true
		for _, p := range primes {
			isPrime = isPrime && math.Mod(candidate, p) != 0
		}
		if isPrime {
			primes = append(primes, candidate)
		}
	}
	return primes
}

//go:build race

package main

// The race detector makes everything several times slower.
const slowness = 3

//go:build !race

package main

const slowness = 1

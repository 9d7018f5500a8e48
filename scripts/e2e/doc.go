// Package e2e runs the real agents against a scripted model and watches the
// state that panehook writes for them. The tests have the build tag e2e and
// want the network namespace that scripts/e2e/run gives them; use that.
package e2e

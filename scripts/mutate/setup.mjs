import { configureGlobal } from "fast-check";
import { beforeEach, inject, vi } from "vitest";

// That a property fails is enough; which is the smallest counterexample takes most of the time.
configureGlobal({ endOnFailure: true });

// Modules are shared by the files of one run (`isolate: false`), and not by runs: a constant is what it was when its module was loaded.
const mutant = inject("activeMutant");
if (globalThis.mutantOfModules !== mutant) {
  globalThis.mutantOfModules = mutant;
  vi.resetModules();
}

// Tests of size and speed say nothing of a single condition that other tests do not say, and take minutes in instrumented code.
beforeEach(({ task, skip }) => {
  if (/linear time|\d+ MB/.test(task.name)) skip("a test of size or speed");
});

import { loadPrograms } from './load-programs.ts'

// A judging thread of the daemon. A fault in here ends the thread; the daemon starts another.
void loadPrograms().evaluator()

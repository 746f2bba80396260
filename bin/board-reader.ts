import { loadPrograms } from './load-programs.ts'

// A thread of `holdpoint ui` that reads the journal. A fault in here ends the thread; the board starts another.
void loadPrograms().boardReader()

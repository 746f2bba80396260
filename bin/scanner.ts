import { loadPrograms } from './load-programs.ts'

// A thread of `holdpoint scan`. A fault in here ends the thread; the command does its part itself.
void loadPrograms('batch', true).scanner()

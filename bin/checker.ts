import { loadPrograms } from './load-programs.ts'

// A thread of `holdpoint check`. A fault in here ends the thread; the command judges its rows itself.
void loadPrograms('batch', true).checker()

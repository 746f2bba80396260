import type { ProgramTable } from '../program.ts'
import { BUILD } from './build.ts'
import { NODE_RUNNERS, node } from './node.ts'
import { POWERSHELL } from './powershell.ts'
import { ipython, PYTHON_RUNNERS, python } from './python.ts'
import { SCRIPTING } from './scripting.ts'
import { UNREAD_LANGUAGES } from './unread.ts'

/** Interpreters, build tools and test runners: programs that run code of another language. */
export const LANGUAGES: ProgramTable = {
  ...python,
  ...ipython,
  ...PYTHON_RUNNERS,
  ...node,
  ...NODE_RUNNERS,
  ...SCRIPTING,
  ...POWERSHELL,
  ...UNREAD_LANGUAGES,
  ...BUILD,
}

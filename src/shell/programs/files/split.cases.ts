import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [['split -l 10 big part-', 'write /srv/project/part-'], ['split big']]

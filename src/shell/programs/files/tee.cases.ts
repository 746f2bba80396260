import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [['tee -a log', 'write /srv/project/log'], ['tee']]

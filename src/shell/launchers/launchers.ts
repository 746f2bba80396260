import type { Launcher } from '../vocabulary/launch.ts'
import { APPLET_LAUNCHERS } from './applets.ts'
import { CODE_OPTION_LAUNCHERS } from './code-options.ts'
import { EDITOR_LAUNCHERS } from './editors.ts'

export const LAUNCHERS: ReadonlyMap<string, Launcher> = new Map(
  Object.entries({
    ...APPLET_LAUNCHERS,
    ...CODE_OPTION_LAUNCHERS,
    ...EDITOR_LAUNCHERS,
  }),
)

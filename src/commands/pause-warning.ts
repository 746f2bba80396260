import { homeLayout } from '../system/home.ts'
import { currentPause, pauseLine } from '../tools/status/open-pause.ts'
import type { Caller } from './caller.ts'
import { foldedText, screenWidth } from './screen.ts'

/** Says on standard error that a pause is open: what a command prints next would be misread without it. */
export function warnOfPause(caller: Caller, home: string | undefined): void {
  const pause = currentPause(homeLayout(home, caller.env), Date.now())
  if (pause === undefined) return
  caller.stderr.write(`${caller.colours.red(foldedText(pauseLine(pause), '', screenWidth(caller.stderr)))}\n`)
}

import pc from 'picocolors'
import { homeLayout } from '../system/home.ts'
import { currentPause, pauseLine } from '../tools/status/open-pause.ts'
import { foldedText, screenWidth } from './screen.ts'

/** Says on standard error that a pause is open: what a command prints next would be misread without it. */
export function warnOfPause(home: string | undefined): void {
  const pause = currentPause(homeLayout(home, process.env), Date.now())
  if (pause === undefined) return
  process.stderr.write(`${pc.red(foldedText(pauseLine(pause), '', screenWidth(process.stderr)))}\n`)
}

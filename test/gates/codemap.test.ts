import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOMS, type Room } from './rooms.ts'

const PAGE = join(import.meta.dirname, '..', '..', 'ARCHITECTURE.md')
const MARKED = /(<!-- rooms -->\n)[\s\S]*?(<!-- \/rooms -->)/

test('the codemap in ARCHITECTURE.md is the table of rooms', () => {
  const page = readFileSync(PAGE, 'utf8')
  const renewed = page.replace(MARKED, `$1${codemap()}$2`)
  if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeFileSync(PAGE, renewed)
  else expect(page, 'run `npm run generate`').toBe(renewed)
})

function codemap(): string {
  const rows = ROOMS.map((room) => {
    const part = room.files === undefined ? '' : ', declarations'
    return `| \`src/${room.folder}\`${part} | ${room.owns} | ${touchesOf(room)} |\n`
  })
  return `| folder | owns | touches |\n|---|---|---|\n${rows.join('')}`
}

function touchesOf({ touches = {}, composes }: Room): string {
  const names = Object.entries(touches).map(([touch, where]) =>
    where === true ? touch : `${touch} (named files)`,
  )
  const own = names.length === 0 ? 'nothing' : names.join(', ')
  return composes === true ? `${own}; composes` : own
}

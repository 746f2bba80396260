// npm without a network, for `npm run hosts:newest`: versions come from STUB_VERSIONS, and what is newer than 999.0.0
// cannot be installed.
import { mkdirSync, writeFileSync } from 'node:fs'

const [command, ...words] = process.argv.slice(2)
/** @type {Readonly<Record<string, string>>} */
const versions = JSON.parse(process.env.STUB_VERSIONS ?? '{}')
const names = words.filter((word) => !word.startsWith('--'))
const [first = ''] = names
if (command === 'view') {
  console.log(versions[first])
} else if (command === 'install') {
  if ((versions[first.replace(/@latest$/, '')] ?? '') > '999.0.0') process.exit(1)
  mkdirSync('node_modules')
  writeFileSync('node_modules/installed.json', JSON.stringify(names))
} else {
  throw new Error(`this npm cannot ${command}`)
}

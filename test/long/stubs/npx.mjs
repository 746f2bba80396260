// Writes down what it should start, for `npm run hosts:newest`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { HOLDPOINT_HOSTS: hosts, HOLDPOINT_HOST_MODULES: modules = '', STUB_SEEN: seen = '' } = process.env
const installed = JSON.parse(readFileSync(join(modules, 'installed.json'), 'utf8'))
writeFileSync(join(seen, `${hosts}.json`), JSON.stringify({ words: process.argv.slice(2), hosts, installed }))

import { playInFull } from '../dialects/play-in-full.ts'
import { playInShort } from '../short/in-short.ts'

playInShort('grok')
playInFull('grok')

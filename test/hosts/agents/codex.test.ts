import { playInShort } from '../short/in-short.ts'

playInShort('codex')

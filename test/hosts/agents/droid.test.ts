import { playInShort } from '../short/in-short.ts'

playInShort('droid')

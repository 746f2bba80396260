import { act } from '../../vocabulary/effect.ts'

/** Whoever is at the other end types into a shell of this machine. */
export const REVERSE_SHELL = act(
  'network/reverse-shell',
  'privilege',
  'gives a shell on this machine to the program at the other end of the connection',
)
export const LISTEN = act('network/listen', 'system-change', 'opens a port of this machine to others')
export const TUNNEL = act('network/tunnel', 'system-change', 'opens a way from the internet to this machine')

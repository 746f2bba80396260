import { exactText } from '../../words/words.ts'
import type { Program } from '../program.ts'
import { LISTEN, TUNNEL } from './acts.ts'

/** Services that make a port of this machine public. */
function opening(words: RegExp): NonNullable<Program['does']> {
  return ({ command }) => {
    const texts = command.args.map((word) => exactText(word) ?? '')
    if (texts.some((word) => /^(-h|--help|help|--version|version|-v|config|update|login)$/.test(word)))
      return []
    return texts.some((word) => words.test(word)) ? [LISTEN] : []
  }
}

const LOCAL_PORT = /^(tunnel|access|local|--port|-p)$/

export const TUNNELS: readonly Program[] = [
  {
    names: 'ngrok',
    does: opening(/^(http|https|tcp|tls|start)$/),
    lines: [[TUNNEL, /\b(?:http|tcp|tls|start|tunnel|edge)\b/]],
  },
  {
    names: 'cloudflared',
    does: opening(LOCAL_PORT),
    lines: [[TUNNEL, /\b(?:tunnel|access)\b/, /\btunnel\s+(?:list|info|login|cleanup|delete)\b/]],
  },
  { names: 'bore', does: opening(LOCAL_PORT), lines: [[TUNNEL, /\blocal\b/]] },
  { names: 'lt localtunnel', does: opening(LOCAL_PORT), lines: [[TUNNEL, /(?:-p|--port)\b/]] },
  { names: 'plink plink.exe', lines: [[TUNNEL, /(?:^|\s)-R\s/]] },
  { names: 'tailscale', lines: [[TUNNEL, /\b(?:funnel|serve)\b/, /\b(?:status|off|reset)\b/]] },
  { names: 'frpc frps', lines: [[TUNNEL, /(?:-c|--config|tcp|http)/]] },
  { names: 'chisel', lines: [[TUNNEL, /\b(?:client|server)\b/]] },
  { names: 'zrok', lines: [[TUNNEL, /\b(?:share|reserve)\b/]] },
  { names: 'devtunnel', lines: [[TUNNEL, /\b(?:host|create)\b/]] },
  {
    names: 'code',
    lines: [[TUNNEL, /^tunnel\b/, /\btunnel\s+(?:status|unregister|kill|prune)\b/]],
    files: { operands: 'metadata' },
  },
  {
    names: 'code-insiders code-tunnel',
    lines: [[TUNNEL, /^tunnel\b/, /\btunnel\s+(?:status|unregister|kill|prune)\b/]],
  },
  { names: 'pagekite pagekite.py', lines: [[TUNNEL, /./]] },
  { names: 'inlets inletsctl', lines: [[TUNNEL, /\b(?:client|http|tcp|create)\b/]] },
  { names: 'expose', lines: [[TUNNEL, /\bshare\b/]] },
  { names: 'gost', lines: [[TUNNEL, /(?:-L|-F)[ =]/]] },
  { names: 'ligolo-ng ligolo', lines: [[TUNNEL, /./]] },
  { names: 'agent', lines: [[TUNNEL, /-connect\s+\S+:\d+.*-(?:ignore-cert|accept-fingerprint)/]] },
  { names: 'telebit', lines: [[TUNNEL, /\b(?:http|tcp|ssh)\b/]] },
  { names: 'playit', lines: [[TUNNEL, /./]] },
  { names: 'loophole', lines: [[TUNNEL, /\b(?:http|path|webdav)\b/]] },
  { names: 'sish serveo', lines: [[TUNNEL, /./]] },
  { names: 'rathole', lines: [[TUNNEL, /./]] },
  {
    names: 'iodine dnscat dnscat2 hans ptunnel ptunnel-ng',
    lines: [[{ ...TUNNEL, what: 'hides a connection inside other traffic' }, /./]],
  },
]

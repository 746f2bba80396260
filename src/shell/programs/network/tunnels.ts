import { exactText } from '../../words/words.ts'
import { each, type Program, type ProgramTable, saying } from '../program.ts'
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

export const TUNNELS: ProgramTable = {
  ngrok: {
    does: opening(/^(http|https|tcp|tls|start)$/),
    lines: [[TUNNEL, /\b(?:http|tcp|tls|start|tunnel|edge)\b/]],
  },
  cloudflared: {
    does: opening(LOCAL_PORT),
    lines: [[TUNNEL, /\b(?:tunnel|access)\b/, /\btunnel\s+(?:list|info|login|cleanup|delete)\b/]],
  },
  bore: { does: opening(LOCAL_PORT), lines: [[TUNNEL, /\blocal\b/]] },
  'lt localtunnel': { does: opening(LOCAL_PORT), lines: [[TUNNEL, /(?:-p|--port)\b/]] },
  ...each(saying(TUNNEL), {
    'plink plink.exe': /(?:^|\s)-R\s/,
    tailscale: [/\b(?:funnel|serve)\b/, /\b(?:status|off|reset)\b/],
    'frpc frps': /(?:-c|--config|tcp|http)/,
    chisel: /\b(?:client|server)\b/,
    zrok: /\b(?:share|reserve)\b/,
    devtunnel: /\b(?:host|create)\b/,
    'code-insiders code-tunnel': [/^tunnel\b/, /\btunnel\s+(?:status|unregister|kill|prune)\b/],
    'pagekite pagekite.py': /./,
    'inlets inletsctl': /\b(?:client|http|tcp|create)\b/,
    expose: /\bshare\b/,
    gost: /(?:-L|-F)[ =]/,
    'ligolo-ng ligolo': /./,
    agent: /-connect\s+\S+:\d+.*-(?:ignore-cert|accept-fingerprint)/,
    telebit: /\b(?:http|tcp|ssh)\b/,
    playit: /./,
    loophole: /\b(?:http|path|webdav)\b/,
    'sish serveo': /./,
    rathole: /./,
  }),
  code: {
    lines: [[TUNNEL, /^tunnel\b/, /\btunnel\s+(?:status|unregister|kill|prune)\b/]],
    files: { operands: 'metadata' },
  },
  ...each(saying({ ...TUNNEL, what: 'hides a connection inside other traffic' }), {
    'iodine dnscat dnscat2 hans ptunnel ptunnel-ng': /./,
  }),
}

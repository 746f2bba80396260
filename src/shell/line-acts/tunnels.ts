import type { ActEffect } from '../vocabulary/effect.ts'
import { rowsOf } from './row.ts'

const TUNNEL: ActEffect = {
  kind: 'system-change',
  act: 'network/tunnel',
  what: 'opens a way from the internet to this machine',
}

export const TUNNELS = rowsOf(
  TUNNEL,
  [
    'ssh autossh',
    /(?:^|\s)-[a-zA-Z0-9]*R(?:\s|\d|\[|\*|$)|RemoteForward/,
    'lets another machine reach a port of this one',
  ],
  [
    'ssh autossh',
    /(?:^|\s)-[a-zA-Z]*w\s*(?:\d|any)|TunnelDevice|GatewayPorts[= ]yes/i,
    'connects the network of this machine with another',
  ],
  ['plink plink.exe', /(?:^|\s)-R\s/],
  ['ngrok', /\b(?:http|tcp|tls|start|tunnel|edge)\b/],
  ['cloudflared', /\b(?:tunnel|access)\b/, undefined, /\btunnel\s+(?:list|info|login|cleanup|delete)\b/],
  ['tailscale', /\b(?:funnel|serve)\b/, undefined, /\b(?:status|off|reset)\b/],
  ['frpc frps', /(?:-c|--config|tcp|http)/],
  ['chisel', /\b(?:client|server)\b/],
  ['bore', /\blocal\b/],
  ['lt localtunnel', /(?:-p|--port)\b/],
  ['zrok', /\b(?:share|reserve)\b/],
  ['devtunnel', /\b(?:host|create)\b/],
  ['code code-insiders code-tunnel', /^tunnel\b/, undefined, /\btunnel\s+(?:status|unregister|kill|prune)\b/],
  ['gh', /\bcodespace\s+ports\s+visibility\b.*\bpublic\b/],
  ['pagekite pagekite.py', /./],
  ['inlets inletsctl', /\b(?:client|http|tcp|create)\b/],
  ['expose', /\bshare\b/],
  ['gost', /(?:-L|-F)[ =]/],
  ['ligolo-ng ligolo', /./],
  ['agent', /-connect\s+\S+:\d+.*-(?:ignore-cert|accept-fingerprint)/],
  ['telebit', /\b(?:http|tcp|ssh)\b/],
  ['playit', /./],
  ['loophole', /\b(?:http|path|webdav)\b/],
  ['sish serveo', /./],
  ['netsh', /\binterface\s+portproxy\s+add\b/i],
  ['rathole', /./],
  ['iodine dnscat dnscat2 hans ptunnel ptunnel-ng', /./, 'hides a connection inside other traffic'],
)

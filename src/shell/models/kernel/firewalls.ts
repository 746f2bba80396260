/** The words that change a firewall, not only show it, by program; words stand between blanks. */
export const FIREWALLS: ReadonlyMap<string, RegExp> = new Map([
  ['iptables', tables()],
  ['ip6tables', tables()],
  ['iptables-restore', /^(?!.* (-t|--test) )/],
  ['ip6tables-restore', /^(?!.* (-t|--test) )/],
  ['ufw', /^(?!.* --dry-run ).* (disable|reset|delete|allow|deny|reject|limit|default|insert|route) /],
  ['nft', /^(?!.* (-c|--check) ).* ((flush|delete|destroy|add|insert|replace|reset) |-f )/],
  ['firewall-cmd', / --(remove|add|set|panic-on|delete|new|change)\S* /],
  ['pfctl', / (-d|-F( \S+)?|-f \S+|-e) /],
  ['netsh', / (advfirewall|firewall) (set|delete|add|reset|import) /i],
])

function tables(): RegExp {
  return / (-[FXPADIRNE]|--(flush|delete-chain|policy|append|delete|insert|replace|new-chain|rename-chain))( |=)/
}

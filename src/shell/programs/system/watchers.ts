/** Services and processes that watch a machine or keep its records. */
const WATCHERS =
  '(?:auditd?|apparmor|selinux|clam(?:d|av)\\S*|freshclam|falcon-?sensor|falcond?|crowdstrike\\S*|mdatp|wdavdaemon|' +
  'sentinel(?:one|d)?\\S*|osqueryd?|wazuh\\S*|ossec\\S*|fail2ban\\S*|falco\\S*|sysmon\\S*|r?syslogd?|syslog-ng|' +
  'systemd-journald|cbdaemon|cbagentd|carbonblack\\S*|ds_agent|esets?\\S*|sophos\\S*|savd|xagt|tanium\\S*|qualys\\S*|' +
  'nessus\\S*|aide|tripwire|snort|suricata|jamf\\S*|xprotect\\S*|santad?|littlesnitch\\S*|lulu|firewalld|ufw|nftables|' +
  'iptables|windefend|wdnissvc|sense|mpssvc|wscsvc|securityhealthservice|msmpeng|eventlog|wuauserv|vss)'
export const watcher = (before: string, after = ''): RegExp =>
  new RegExp(
    `${before}(?:\\S*[\\s/.])?${WATCHERS}(?:\\.service|\\.socket|\\.plist|\\.exe)?(?=["'\\s]|$)${after}`,
    'i',
  )

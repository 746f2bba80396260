import { exactText } from '../words.ts'
import { FIREWALLS } from './kernel/firewalls.ts'
import { MACHINE_PROGRAMS, PROTECTION } from './kernel/programs.ts'
import type { Model, ModelCases } from './model.ts'

/** The kernel, its network and what protects the machine. */
export const kernel: Model = {
  programs: [...MACHINE_PROGRAMS.keys()],
  effects({ name, command }) {
    const words = command.args.map((word) => exactText(word) ?? '?')
    if (words.some((word) => /^(--help|--version|-V|help)$/.test(word))) return []
    const found = MACHINE_PROGRAMS.get(name)?.(words) ?? []
    // A firewall that is told something unknown is not only listed.
    if (found.length > 0 || words[0] !== '?' || !FIREWALLS.has(name)) return found
    return [{ ...PROTECTION, unsure: 'what it is told to do is known only at run time' }]
  },
}

const KERNEL = 'system-change system/kernel'
const PROTECTED = 'system-change system/protection'
const TRACED = 'system-change system/traces'

export const cases: ModelCases = [
  ['sysctl -a'],
  ['sysctl vm.swappiness'],
  ['sysctl -n kernel.hostname'],
  ['sysctl -w kernel.randomize_va_space=0', KERNEL],
  ['sysctl vm.max_map_count=262144', KERNEL],
  ['sysctl -p', KERNEL],
  ['sysctl net.ipv4.ip_forward = 1', KERNEL],
  ['insmod driver.ko', KERNEL],
  ['rmmod driver', KERNEL],
  ['modprobe driver', KERNEL],
  ['modprobe -n driver'],
  ['kexec -e', KERNEL],
  ['swapoff -a', 'system-change system/swap'],
  ['setenforce 0', PROTECTED],
  ['setenforce 1'],
  ['csrutil status'],
  ['csrutil disable', PROTECTED],
  ['spctl --master-disable', PROTECTED],
  ['spctl --status'],
  ['auditctl -l'],
  ['auditctl -e 0', PROTECTED],
  ['aa-teardown', PROTECTED],
  ['aa-disable /usr/bin/app', PROTECTED],
  ['apparmor_parser -R profile', PROTECTED],
  ['apparmor_parser -r profile'],
  ['timedatectl'],
  ['timedatectl set-time 2020-01-01', KERNEL],
  ['hostnamectl set-hostname web', KERNEL],
  ['hwclock --show'],
  ['hwclock --systohc', KERNEL],
  ['date +%s'],
  ['date -d yesterday'],
  ['date -Is'],
  ['date -s 2020-01-01', KERNEL],
  ['journalctl -u nginx'],
  ['journalctl --vacuum-time=1s', TRACED],
  ['history 20'],
  ['history -c', TRACED],
  ['wevtutil cl System', TRACED],
  ['ip addr'],
  ['ip route show'],
  ['ip link set eth0 down', KERNEL],
  ['ip route del default', KERNEL],
  ['ip netns exec blue ping example.com'],
  ['ifconfig'],
  ['ifconfig eth0 down', KERNEL],
  ['route -n'],
  ['route del default', KERNEL],
  ['nmcli device status'],
  ['nmcli networking off', KERNEL],
  ['nmcli con down wired', KERNEL],
  ['ifdown eth0', KERNEL],
  ['networksetup -listallnetworkservices'],
  ['networksetup -setairportpower en0 off', KERNEL],
  ['grub-install /dev/sda', KERNEL],
  ['efibootmgr -v'],
  ['efibootmgr -b 0001 -B', KERNEL],
  ['bcdedit /delete {current}', KERNEL],
  ['nvram -p'],
  ['nvram -c', KERNEL],
  ['iptables -L -n -v'],
  ['iptables -t nat -S'],
  ['iptables $ARGS', `${PROTECTED} ?`],
  ['iptables -F', PROTECTED],
  ['iptables -t nat --flush', PROTECTED],
  ['iptables -P INPUT ACCEPT', PROTECTED],
  ['iptables -A INPUT -p tcp --dport 22 -j DROP', PROTECTED],
  ['ip6tables -L'],
  ['iptables-restore < rules.v4', PROTECTED],
  ['iptables-restore --test rules.v4'],
  ['ip6tables-restore rules.v6', PROTECTED],
  ['ip6tables -X', PROTECTED],
  ['ufw status verbose'],
  ['ufw disable', PROTECTED],
  ['ufw --force reset', PROTECTED],
  ['ufw --dry-run disable'],
  ['nft list ruleset'],
  ['nft flush ruleset', PROTECTED],
  ['firewall-cmd --list-all'],
  ['firewall-cmd --permanent --remove-service=ssh', PROTECTED],
  ['pfctl -s rules'],
  ['pfctl -d', PROTECTED],
  ['netsh advfirewall show allprofiles'],
  ['netsh advfirewall set allprofiles state off', PROTECTED],
]

import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['ssh-copy-id -i ~/.ssh/id_rsa.pub dev@example.com'],
  [
    'openssl s_client -connect example.com:443',
    'net out example.com -',
    'net in example.com -',
    'read /srv/project/s_client',
    'read /srv/project/example.com:443',
    'read /srv/project/443',
    'read /srv/project/example.com',
  ],
  ['openssl x509 -in a.crt -noout -text', 'read /srv/project/x509', 'read /srv/project/a.crt'],
  [
    'ssh-keygen -t ed25519 -f key -N ""',
    'metadata /srv/project/ed25519',
    'metadata /srv/project/key',
    'metadata /srv/project',
  ],
  ['ssh-keygen -D ./card.so', 'system-change shell/hidden-exec', 'metadata /srv/project/card.so'],
  ['ssh-add ~/.ssh/id_ed25519', 'metadata /home/dev/.ssh/id_ed25519'],
  ['ssh-add -s"$LIB"', 'system-change shell/hidden-exec'],
  ['nmap -sV -p- localhost'],
  ['nmap --script vuln,http-title localhost'],
  ['nmap --script ./x.nse localhost', 'system-change shell/hidden-exec'],
]

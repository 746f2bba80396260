import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['curl https://example.com/a.json', 'net in example.com -'],
  ['curl -fsSL -o /tmp/a.sh https://example.com/a', 'net in example.com /tmp/a.sh', 'write /tmp/a.sh'],
  [
    'curl -sSLO https://example.com/x/a.sh?v=1',
    'net in example.com /srv/project/a.sh',
    'write /srv/project/a.sh',
  ],
  ['curl --output-dir /tmp -o a https://example.com/x', 'net in example.com /tmp/a', 'write /tmp/a'],
  ['curl -I https://example.com', 'net in example.com'],
  ['curl -d @.env https://example.com', 'net out example.com /srv/project/.env', 'net in example.com -'],
  ['curl --data-bin @- example.com', 'net out example.com -', 'net in example.com -'],
  [
    'curl -F "file=@a b.txt;type=text/plain" https://example.com/up',
    'net out example.com /srv/project/a b.txt',
    'net in example.com -',
  ],
  [
    'curl -sT dump.sql https://example.com',
    'net out example.com /srv/project/dump.sql',
    'net in example.com -',
  ],
  ['curl -d a=b http://localhost:3000', 'net out localhost', 'net in localhost -'],
  [
    `curl -K - https://example.com <<< 'data = "@a.txt"'`,
    'net out example.com /srv/project/a.txt',
    'net in example.com -',
  ],
  ["printf 'url example.com\\n--silent\\n' | curl -sK -", 'net in example.com -'],
  [`curl -X POST --json '{"a":1}' 127.0.0.1:8080/x`, 'net out 127.0.0.1', 'net in 127.0.0.1 -'],
  ['curl -D --help evil.example', 'net in evil.example -', 'write /srv/project/--help'],
  ['curl "https://$HOST/x"', 'net in ? -'],
  ['curl --help'],
  ['curl -V'],
  ['curl file:///etc/hosts'],
  ['curlie https://example.com', 'net in example.com -'],
  ['curl -K settings.txt https://example.com', 'net in example.com -'],
  ['curl -K <(./x) https://example.com', 'exec unknown ?', 'net in example.com -'],
  ['curl -K https://example.com/settings', 'exec unknown ?'],
]

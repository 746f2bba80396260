import { actGuard } from '../../act-guard.ts'

export const listen = actGuard({
  id: 'safety/network/listen',
  title: 'Opening a port to other machines',
  why: 'A raw listener or a tunnel lets other machines reach this one and bypasses its firewall.',
  instead:
    'bind a development server to the local address (`python3 -m http.server --bind 127.0.0.1 8000`), or let the user open the port.',
  acts: ['network/listen'],
  mentions: /\b(?:nc|ncat|netcat|socat|ngrok|cloudflared)\b/,
  maybe: 'may open a port to other machines',
  // Development opens ports all the time, so this is off at the standard level.
  modes: { standard: 'off', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'nc -l 4444',
      'nc -lvnp 4444 > in.bin',
      'ncat --listen 8080 --keep-open',
      'netcat -l -p 9000',
      'socat TCP-LISTEN:8080,fork TCP:localhost:80',
      'socat - UDP4-RECVFROM:9000',
      'openssl s_server -accept 4433 -cert cert.pem',
      'ngrok http 3000',
      'cloudflared tunnel --url http://localhost:3000',
      'ssh -R 80:localhost:3000 example.com',
      'ssh -N -R 8080:localhost:80 dev@example.com',
    ],
    passes: [
      'nc -z localhost 3000',
      'nc example.com 80',
      'socat - TCP:localhost:80',
      'openssl s_client -connect example.com:443',
      'python3 -m http.server',
      'npm run dev',
      'ssh -L 5432:localhost:5432 example.com',
      'ngrok --version',
      'cloudflared --help',
      'echo "nc -l 4444"',
    ],
  },
})

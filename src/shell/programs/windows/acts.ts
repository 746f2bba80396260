import { act } from '../../vocabulary/effect.ts'

export const WINDOWS_LOADER = act(
  'shell/windows-loader',
  'system-change',
  'uses a Windows program to fetch, decode or start code',
)

import { act } from '../../vocabulary/effect.ts'

export const SHRED = act('files/shred', 'data-destroy', 'overwrites files so that nothing brings them back')

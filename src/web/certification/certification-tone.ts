import type { Tone } from '../ui/parts.tsx'

export const certificationTone: Record<string, Tone> = {
  '0': 'plain',
  '1': 'amber',
  '2': 'good',
  '3': 'bad',
  '4': 'bad',
  '5': 'amber',
  '6': 'bad',
}

import { runInReader } from '../reader/reader.ts'
import type { Encoded } from './picture-encoding.ts'

/**
 * Encodes a picture anew, upright or turned by `turn` degrees, and makes its thumbnail. Throws file_kind for what cannot be decoded,
 * picture_pixels for what is too large, busy when too many wait.
 */
export const encodePicture = (content: Uint8Array, { turn = 0 } = {}): Promise<Encoded> =>
  runInReader<Encoded>({ kind: 'picture', content, turn })

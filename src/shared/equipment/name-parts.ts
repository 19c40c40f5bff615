import { z } from 'zod'

/**
 * The parts of a machine's name, from which it is shown in both languages (`name.ts`). They have a file of their own: a dialog of the private areas
 * reads them from a refusal, and no public page should bring the schema library for that.
 */
export const machineNameParts = {
  name: z.string(),
  brand: z.string(),
  /** The brand itself where the dictionary has no English name of it. */
  brandEn: z.string(),
  model: z.string(),
  categoryNameEn: z.string(),
}

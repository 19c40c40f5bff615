// Schema of the form of a category, apart from the calls (decision 17).
import { z } from 'zod'

export const Param = z.object({
  key: z.string(),
  label: z.string(),
  labelEn: z.string(),
  unit: z.string(),
  main: z.boolean(),
  type: z.enum(['number', 'text']),
})
export type Param = z.infer<typeof Param>

export const CategoryFlags = z.object({
  specialEquipment: z.boolean(),
  buildingLifting: z.boolean(),
  nonRoad: z.boolean(),
  roadVehicle: z.boolean(),
  erection: z.boolean(),
})

/** The flags of a category to which no law or standard adds documents. */
export const noFlags: z.output<typeof CategoryFlags> = {
  specialEquipment: false,
  buildingLifting: false,
  nonRoad: false,
  roadVehicle: false,
  erection: false,
}

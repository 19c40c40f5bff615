import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf } from '#shared/calendar.ts'
import {
  addEquipment,
  deleteEquipment,
  editEquipment,
  getOwnEquipment,
  retireEquipment,
  withdrawEquipment,
  type OwnMachine,
} from '#shared/equipment/own.ts'
import { renamed } from '#shared/equipment/name.ts'
import { equipmentAudit } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { listOwnEquipment } from '#shared/equipment/contract.ts'
import { problemErrors } from '#shared/text/validation.ts'
import { call, maySendAgain } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useCallForm } from '../../app/call-form.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { isConflict, isOutdated } from '../../app/outdated.ts'
import { invalidate } from '../../app/queries.ts'
import { useText } from '../../app/text.tsx'
import { useCallDraft } from '../../app/use-local-draft.ts'
import { useCategories } from '../../category/category-tree.ts'
import { useFirstField } from '../../app/use-form.ts'
import { useNextPage } from '../../app/use-next-page.ts'
import { SubmitForm } from '../../ui/form-fields.tsx'
import { toast } from '../../ui/toast.tsx'
import { MachineFields } from './machine-fields.tsx'
import {
  formProblems,
  fromMachine,
  isLockedMachine,
  nameOfMachineField,
  newMachine,
  machineInputOf,
  type MachineFormState,
  type Yard,
} from './machine-form.ts'
import { MachineSheet } from './machine-sheet.tsx'
import { MachineHead, MachineStanding } from './machine-standing.tsx'

/** Edits a machine, with the result of its review and its actions. */
export function MachineEditor({ machine, yard }: { machine: OwnMachine | null; yard?: Yard | undefined }) {
  const text = useText()
  const words = text.equipment.upload
  const goOn = useNextPage()
  const categories = useCategories()
  const [version, setVersion] = useState(machine?.version ?? 0)
  const [overtaken, setOvertaken] = useState(false)
  const status = machine?.auditStatus ?? equipmentAudit.draft
  const passed = status === equipmentAudit.passed
  const disabled = isLockedMachine(machine)
  const form: MachineFormState = useCallForm({
    schema: machine ? editEquipment.body : addEquipment.body,
    values: machine ? fromMachine(machine) : newMachine(yard),
    body: (typed) => ({
      ...machineInputOf(typed, typed.categoryId === null ? undefined : categories.get(typed.categoryId)),
      ...(machine && { id: machine.id, version }),
    }),
    nameOf: nameOfMachineField,
    problems: (typed) => {
      const category = typed.categoryId === null ? undefined : categories.get(typed.categoryId)
      return problemErrors(text, formProblems(typed, category, machine, dayOf(new Date())))
    },
  })
  useFirstField(machine === null)
  const draft = useCallDraft(form, disabled ? null : `machine-${machine?.id ?? 'new'}`)
  const send = form.submitting(
    async (body) => {
      // What is typed while the call is under way is not saved with it.
      const sent = structuredClone(form.getValues())
      try {
        const saved =
          'version' in body ? await call(editEquipment, { body }) : { ...(await call(addEquipment, { body })), waiting: false, version: 0 }
        // A name that was left as it is follows the brand and model, as the server stores it.
        if (machine && !passed && sent.name === machine.name) {
          sent.name = renamed(machine, sent)
          if (form.getValues('name') === machine.name) form.setValue('name', sent.name)
        }
        setVersion(saved.version)
        setOvertaken(false)
        draft.saved(sent, machine ? undefined : { name: `machine-${saved.id}`, address: paths.editMachine(saved.id) })
        toast('success', saved.waiting ? words.waiting : passed ? words.saved : words.sentAs[saved.auditStatus])
        await invalidate(getOwnEquipment, listOwnEquipment)
        if (!machine) await goOn(paths.editMachine(saved.id), { replace: true })
      } catch (error) {
        setOvertaken(isConflict(error))
        throw error
      }
    },
    () => toast('warning', text.refusal.invalid),
  )
  const save = (submit: boolean) => {
    form.setValue('submit', submit)
    void send()
  }
  const withdraw = useMutation({
    mutationFn: () => call(withdrawEquipment, { params: { id: machine?.id ?? 0 } }),
    onSuccess: async () => {
      toast('success', words.withdrawn)
      // The version stays where a requested change was taken back; a machine that leaves its review opens in a new form.
      await invalidate(getOwnEquipment, listOwnEquipment)
    },
    onError: (error) => (isOutdated(error) ? invalidate(getOwnEquipment, listOwnEquipment) : undefined),
  })
  return (
    <div className="stack">
      <MachineHead machine={machine} isLocked={disabled} />
      {machine && <MachineStanding machine={machine} busy={withdraw.isPending} onWithdraw={() => withdraw.mutate()} />}
      {overtaken && (
        <div className="notice notice-warn" role="alert">
          {text.refusal.changed}{' '}
          <a href={machine ? paths.editMachine(machine.id) : paths.ownMachines} target="_blank" rel="noreferrer">
            {text.demand.own.changedOpen}
          </a>
        </div>
      )}
      {machine && disabled ? (
        <MachineSheet machine={machine} />
      ) : (
        <SubmitForm onSubmit={() => save(true)}>
          <MachineFields form={form} machine={machine} />
          <FormBar draft={draft} errors={form.errorCount}>
            {machine && <EndMachine machine={machine} />}
            {!passed && (
              <button type="button" className="button" aria-disabled={form.formState.isSubmitting} onClick={() => save(false)}>
                {words.draft}
              </button>
            )}
            <button type="submit" className="button button-primary" aria-disabled={form.formState.isSubmitting}>
              {passed ? words.save : words.submit}
            </button>
          </FormBar>
        </SubmitForm>
      )}
    </div>
  )
}

/** Deletes a draft, or retires a machine that has passed its review. */
function EndMachine({ machine }: { machine: OwnMachine }) {
  const words = useText().equipment.upload
  const goOn = useNextPage()
  const [isConfirming, setConfirming] = useState(false)
  const retires = machine.auditStatus === equipmentAudit.passed
  const end = useMutation({
    mutationFn: () => call(retires ? retireEquipment : deleteEquipment, { params: { id: machine.id } }),
    onSuccess: async () => {
      toast('success', retires ? words.retired : words.deleted)
      setConfirming(false)
      await invalidate(getOwnEquipment, listOwnEquipment)
      if (!retires) await goOn(paths.ownMachines)
    },
    onError: (error) => {
      if (maySendAgain(error)) return
      setConfirming(false)
      void invalidate(getOwnEquipment, listOwnEquipment)
    },
  })
  const action = retires ? words.retire : words.delete
  return (
    <>
      <button type="button" className="button button-danger" onClick={() => setConfirming(true)}>
        {action}
      </button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={action}
        action={action}
        busy={end.isPending}
        onConfirm={() => end.mutate()}
      >
        <p>{retires ? words.retireAsk : words.deleteAsk}</p>
      </ConfirmDialog>
    </>
  )
}

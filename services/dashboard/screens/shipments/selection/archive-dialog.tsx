import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';

type Props = {
  /** Null: all shipments of the list, whose number is unknown. */
  count: number | null;
  archive: () => void;
  close: () => void;
};

/** Asks before shipments leave the lists. */
export function ArchiveDialog({ count, archive, close }: Props) {
  const [them, carriers] = count === 1 ? ['it', 'its carrier'] : ['them', 'their carriers'];
  return (
    <ConfirmDialog title={titleOf(count)} action="Archive" onConfirm={archive} onClose={close}>
      {`Removes ${them} from lists and counts, and stops polling ${carriers}. You can still read and restore ${them}.`}
    </ConfirmDialog>
  );
}

function titleOf(count: number | null): string {
  if (count === null) return 'Archive all shipments of the list?';
  return count === 1 ? 'Archive this shipment?' : `Archive ${count.toLocaleString(numberLocale())} shipments?`;
}

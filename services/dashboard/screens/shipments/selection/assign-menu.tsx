import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { labelled, peopleQuery } from '../../../api/people-query.ts';
import { Button, buttonClasses } from '../../../parts/button.tsx';
import { MenuSeparator, menuItemClasses, PopupMenu } from '../../../parts/inputs/menu.tsx';
import { useSession } from '../../session/use-session.ts';

type Choice = { memberId: string | null; name: string };
type Props = { disabled: boolean; reason: string | undefined; assign: (choice: Choice) => void };

/** Assigns the selected shipments to a member or to nobody. */
export function AssignMenu({ disabled, reason, assign }: Props) {
  const { user } = useSession();
  const { data: people = [] } = useQuery({ ...peopleQuery, enabled: !disabled });
  if (disabled)
    return (
      <Button disabled title={reason}>
        Assign
      </Button>
    );
  return (
    <PopupMenu trigger="Assign" className={buttonClasses()} align="start">
      <Menu.Item className={menuItemClasses} onClick={() => assign({ memberId: user.id, name: user.name })}>
        Me
      </Menu.Item>
      <Menu.Item className={menuItemClasses} onClick={() => assign({ memberId: null, name: '' })}>
        Nobody
      </Menu.Item>
      <MenuSeparator />
      {labelled(people)
        .filter(({ memberId }) => memberId !== user.id)
        .map(({ memberId, label }) => (
          <Menu.Item
            key={memberId}
            label={label}
            className={menuItemClasses}
            onClick={() => assign({ memberId, name: label })}
          >
            <bdi className="truncate">{label}</bdi>
          </Menu.Item>
        ))}
    </PopupMenu>
  );
}

"""Looks at every call, and asks a person where money is spent."""


def audit_all_tools(event):
    if event.tool_name == 'buy_credits':
        return {'decision': 'ask', 'reason': f'{event.agent_id} wants to spend {event.tool_input["dollars"]} dollars.'}
    return None

"""How exploitable an agent is at least: a best response, trained against copies of it.

It uses the settings, `_ppo.Learner` and `_rollouts.Collector` of self-play. The command is in
`mascarade_train._cli`. Each file may import those above it:

settings.py: `ResponseSettings`, and the list of trainings in a search
calibration.py: which share of the true gain a search recovers, from calibration.json
plain_network.py: the network of an agent, as the start of a response
training.py: one training of a response
checkpoints.py: save and resume a search
search.py: `best_response`: train several responses, choose the best, measure it
"""

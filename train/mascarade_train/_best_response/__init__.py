"""What an agent leaves to gain: a best response, trained against copies of it.

Built on the settings, `_ppo.Learner` and `_rollouts.Collector` of self-play. `mascarade_train._cli`
has the command. Each file may import those above it:

settings.py: `ResponseSettings`, and the trainings that they ask for
calibration.py: what share of the true gain such a response finds, by calibration.json
plain_network.py: the network of an agent, to begin from
training.py: the training of one response
checkpoints.py: save and resume the search
search.py: `best_response`: several trainings, the best one chosen and measured
"""
